import { AgentError, unknownName } from '@turnwright/contracts';

/**
 * Named things, found by name or alias.
 *
 * Refuses an empty list and a name that two owners claim, naming both; `replaces` lets a later owner stand in for an earlier one.
 */
export class NameRegistry<T extends { readonly name: string; readonly aliases?: readonly string[] }> {
  private readonly byName = new Map<string, { readonly value: T; readonly owner: string }>();

  constructor(private readonly kind: string, entries: readonly { readonly value: T; readonly owner: string; readonly replaces?: readonly string[] }[]) {
    if (entries.length === 0) throw new AgentError('empty-registry', `No ${kind} is registered; expected at least one.`, { fields: { kind } });
    for (const entry of entries) for (const name of [entry.value.name, ...(entry.value.aliases ?? [])]) this.add(name, entry);
  }

  private add(name: string, entry: { readonly value: T; readonly owner: string; readonly replaces?: readonly string[] }): void {
    const key = normalise(name);
    const known = this.byName.get(key);
    if (known !== undefined && known.value !== entry.value && entry.replaces?.some((replaced) => normalise(replaced) === normalise(known.value.name)) !== true) {
      throw new AgentError('duplicate-name', `${this.kind} "${name}" is registered by ${known.owner} and by ${entry.owner}. To stand in for it, the plugin says replaces: ['${known.value.name}'].`, { fields: { kind: this.kind, name, owners: [known.owner, entry.owner] } });
    }
    this.byName.set(key, entry);
  }

  get values(): readonly T[] {
    return [...new Set([...this.byName.values()].map(({ value }) => value))];
  }

  get names(): readonly string[] {
    return this.values.map(({ name }) => name);
  }

  find(name: string): T | undefined {
    return this.byName.get(normalise(name))?.value;
  }

  /** throws AgentError `unknown-name`, listing what is known */
  get(name: string): T {
    const found = this.find(name);
    if (found === undefined) throw unknownName(this.kind, name, this.names);
    return found;
  }

  ownerOf(name: string): string | undefined {
    return this.byName.get(normalise(name))?.owner;
  }
}

/** Engines write `deepseek-r1`, `deepseek_r1` and `DeepSeek_R1` for one thing, and people `llama3.1` and `llama3_1`. */
function normalise(name: string): string {
  return name.toLowerCase().replace(/[-.]/g, '_');
}
