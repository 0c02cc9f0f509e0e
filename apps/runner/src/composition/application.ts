import { TYPES, type ChatTemplate, type Exporter, type Lazy, type MergePolicy, type ReasoningFormat, type Recipe, type SessionReader, type Tokenizer, type ToolFormat } from '@turnwright/contracts';
import type { NameRegistry } from '@turnwright/parsing';
import { inject, injectable } from 'inversify';

/** Everything that the command works with: what the built-ins and the user's plugins brought, by name. */
@injectable()
export class Application {
  constructor(
    @inject(TYPES.ToolFormats) readonly formats: NameRegistry<ToolFormat>,
    @inject(TYPES.ReasoningFormats) readonly reasoning: NameRegistry<ReasoningFormat>,
    @inject(TYPES.Readers) readonly readers: NameRegistry<SessionReader>,
    @inject(TYPES.Exporters) readonly exporters: NameRegistry<Exporter>,
    @inject(TYPES.Recipes) readonly recipes: NameRegistry<Recipe>,
    @inject(TYPES.MergePolicies) readonly mergePolicies: NameRegistry<MergePolicy>,
    @inject(TYPES.Tokenizers) readonly tokenizers: NameRegistry<Lazy<Tokenizer>>,
    @inject(TYPES.Templates) readonly templates: NameRegistry<Lazy<ChatTemplate>>,
  ) {}

  /** Formats tried on what the chosen one leaves as text: those of the XML fallback. */
  get fallbacks(): readonly ToolFormat[] {
    const fallback = this.formats.find('qwen3_coder');
    return fallback === undefined ? [] : [fallback];
  }
}
