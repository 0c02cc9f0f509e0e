const NAMES = ['bos_token', 'eos_token', 'pad_token', 'unk_token'] as const;

/** The tokens that a tokenizer_config.json names, which transformers hands to chat templates. */
export function namedTokens(config: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(NAMES.flatMap((name) => {
    const text = tokenText(config[name]);
    return text === undefined ? [] : [[name, text]];
  }));
}

function tokenText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const content = typeof value === 'object' && value !== null && 'content' in value ? value.content : undefined;
  return typeof content === 'string' ? content : undefined;
}
