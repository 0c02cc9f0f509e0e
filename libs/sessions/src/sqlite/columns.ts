/** The columns of a `CREATE TABLE` statement in order, and which of them is the row's id. */
export function columnsOf(sql: string): { readonly names: readonly string[]; readonly rowId: string | undefined } {
  const open = sql.indexOf('(');
  const names: string[] = [];
  let rowId: string | undefined;
  for (const part of open < 0 ? [] : topLevelParts(sql.slice(open + 1, sql.lastIndexOf(')')))) {
    const found = /^\s*(?:"((?:[^"]|"")*)"|`([^`]*)`|\[([^\]]*)\]|([A-Za-z_][\w$]*))([\s\S]*)$/.exec(part);
    const name = found?.[1] ?? found?.[2] ?? found?.[3] ?? found?.[4];
    if (found === null || name === undefined || (found[4] !== undefined && CONSTRAINTS.has(found[4].toUpperCase()))) continue;
    names.push(name);
    if (/^\s*INTEGER\s+(?:[\w\s]*\s)?PRIMARY\s+KEY\b/i.test(found[5] ?? '')) rowId = name;
  }
  return { names, rowId };
}

const CONSTRAINTS: ReadonlySet<string> = new Set(['CONSTRAINT', 'PRIMARY', 'UNIQUE', 'CHECK', 'FOREIGN']);

function topLevelParts(body: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let start = 0;
  for (let at = 0; at < body.length; at++) {
    const character = body[at] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === '\'' || character === '`') quote = character;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === ',' && depth === 0) {
      parts.push(body.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, body.slice(start)];
}
