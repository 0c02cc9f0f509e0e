/** What is replaced: every match of `pattern`, or the part of it that is called `secret`. */
export interface RedactionRule {
  readonly name: string;
  readonly description: string;
  readonly pattern: RegExp;
}

const rule = (name: string, description: string, pattern: RegExp): RedactionRule => ({ name, description, pattern });

/**
 * The rules, in the order in which they are applied.
 *
 * Each is linear in the text: no pattern repeats a group that can match one text in two ways. What is found is replaced by `[redacted:NAME]`,
 * which is plain text in JSON, in shells and in source code alike.
 */
export const REDACTION_RULES: readonly RedactionRule[] = [
  rule('private-key', 'PEM blocks of private keys', /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,20000}-----END [A-Z ]{0,30}PRIVATE KEY-----/g),
  rule('jwt', 'JSON web tokens', /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g),
  rule('api-key', 'keys of Anthropic, OpenAI, OpenRouter, Google, AWS, Hugging Face, npm, PyPI, Stripe, SendGrid', /\b(?:sk-[A-Za-z0-9_-]{20,}|AIza[\w-]{35}|(?:AKIA|ASIA)[A-Z0-9]{16}|hf_[A-Za-z0-9]{30,}|npm_[A-Za-z0-9]{36}|pypi-[\w-]{40,}|[rs]k_live_[A-Za-z0-9]{20,}|SG\.[\w-]{16,}\.[\w-]{16,})/g),
  rule('token', 'tokens of GitHub, GitLab and Slack, and bearer tokens', /\b(?:gh[opsur]_[A-Za-z0-9]{30,}|github_pat_\w{40,}|glpat-[\w-]{20,}|xox[abeoprs]-[\w-]{10,})|\b[Bb]earer (?<secret>[\w.~+/-]{16,}=*)/g),
  rule('url-password', 'passwords in URLs', /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'\\]{1,100}:(?<secret>[^\s/@"'\\]{1,200})@/g),
  rule('password', 'values of variables called password, secret, token or key of an API', /\b\w{0,40}(?:password|passwd|secret|api_?key|apikey|access_?key|auth_?token|access_?token)\\?["']?\s{0,5}[:=]\s{0,5}\\?["']?(?<secret>[^\s"'\\,;)}\]]{8,200})/gi),
  rule('email', 'e-mail addresses', /\b[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,5}\.[A-Za-z]{2,24}\b/g),
  rule('home', 'names of home directories', /(?:\/home\/|\/Users\/|\b[A-Za-z]:(?:\\{1,2}|\/)Users(?:\\{1,2}|\/))(?<secret>[^\s/\\"'`:<>|]{1,64})/g),
];

/** The text without what the rules find. Replacing again changes nothing. */
export function redactText(text: string): string {
  let redacted = text;
  for (const { name, pattern } of REDACTION_RULES) redacted = redacted.replace(pattern, (...match: unknown[]) => replaced(match, `[redacted:${name}]`));
  return redacted;
}

function replaced(match: readonly unknown[], replacement: string): string {
  const [whole] = match as [string];
  const groups = match.at(-1);
  const secret = typeof groups === 'object' && groups !== null && 'secret' in groups ? groups.secret : undefined;
  if (typeof secret !== 'string') return whole.includes('[redacted') ? whole : replacement;
  // A secret ends at a colon in some rules.
  if (secret.startsWith('[redacted')) return whole;
  const at = whole.lastIndexOf(secret);
  return `${whole.slice(0, at)}${replacement}${whole.slice(at + secret.length)}`;
}

const STRING = /"(?:[^"\\]|\\.)*"/g;
const PAIR = /("(?:[^"\\]|\\.)*"\s*:\s*)("(?:[^"\\]|\\.)*")/g;
const SECRET_NAME = /(?:password|passwd|secret|api_?key|access_?key|auth_?token|access_?token)"?\s*:?\s*$/i;
const SHORTEST_SECRET = 8;

/**
 * JSON text without what the rules find in its strings, which are looked at as what they mean: in `\\nme@mail.example` the n is no part of
 * the address. What holds nothing keeps its spelling, numbers and order with it. Text that is no JSON is taken as text.
 */
export function redactJson(text: string): string {
  if (!isJson(text)) return redactText(text);
  const named = text.replace(PAIR, (whole, key: string, value: string) => (SECRET_NAME.test(key) && value.length >= SHORTEST_SECRET + 2 && !value.startsWith('"[redacted') ? `${key}"[redacted:password]"` : whole));
  return named.replace(STRING, (literal) => {
    const value = JSON.parse(literal) as string;
    const redacted = redactText(value);
    return redacted === value ? literal : JSON.stringify(redacted);
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
