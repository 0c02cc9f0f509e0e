import { AgentError, type Recipe } from '@turnwright/contracts';

export interface GivenRecipeOptions {
  readonly set: readonly string[];
  readonly policy?: string;
  readonly reward?: string;
}

/** The recipe's own options: `--set key=value`, and the flags that most recipes share. throws AgentError `bad-option`, `conflicting-options` */
export function parseRecipeOptions(recipe: Recipe, options: GivenRecipeOptions): unknown {
  const given = new Map<string, string>();
  const add = (key: string, value: string, spelling: string): void => {
    const known = given.get(key);
    if (known !== undefined && known !== value) throw new AgentError('conflicting-options', `Options contradict each other: ${spelling} and --set ${key}=${known}.`, { fields: { key } });
    given.set(key, value);
  };
  for (const pair of options.set) {
    const at = pair.indexOf('=');
    if (at <= 0) throw new AgentError('bad-option', `Option --set ${pair}: expected KEY=VALUE.`, { fields: { pair } });
    add(pair.slice(0, at), pair.slice(at + 1), `--set ${pair}`);
  }
  for (const [key, value] of [['policy', options.policy], ['reward', options.reward]] as const) {
    if (value !== undefined) add(key, value, `--${key} ${value}`);
  }
  // From entries, so that `__proto__` is a key like any other.
  const parsed = recipe.options.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.length ? `option ${issue.path.join('.')}: ` : '';
  throw new AgentError('bad-option', `Recipe "${recipe.name}": ${where}${issue?.message ?? 'wrong value'}${found(given, issue?.path[0])}. \`turnwright recipes ${recipe.name}\` shows its options.`, { fields: { recipe: recipe.name } });
}

function found(given: ReadonlyMap<string, string>, key: PropertyKey | undefined): string {
  const value = given.get(String(key));
  return key === undefined || value === undefined ? '' : `, found "${value}"`;
}
