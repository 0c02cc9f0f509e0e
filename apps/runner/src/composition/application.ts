import { TYPES, type Exporter, type Lazy, type LazyTemplate, type MergePolicy, type ReasoningFormat, type Recipe, type SessionReader, type Tokenizer, type ToolFormat } from '@turnwright/contracts';
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
    @inject(TYPES.Templates) readonly templates: NameRegistry<LazyTemplate>,
  ) {}

  /** Formats tried, for declared tools, on what the chosen one leaves as text: XML, JSON in Hermes' tags, and bare JSON as the whole answer. */
  get fallbacks(): readonly ToolFormat[] {
    return ['qwen3_coder', 'hermes', 'json_array'].flatMap((name) => this.formats.find(name) ?? []);
  }
}
