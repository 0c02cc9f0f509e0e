import type { ToolFormat } from '@turnwright/contracts';

/** The name in an id such as `functions.find:0`; an id without a name gives the empty name. */
export function idParts(id: string, format: ToolFormat): { readonly name: string } {
  const step = format.call.find(({ kind }) => kind === 'call-id');
  const prefix = step?.kind === 'call-id' ? step.prefix : '';
  const ordinal = step?.kind === 'call-id' ? step.ordinal : '';
  const bare = id.startsWith(prefix) ? id.slice(prefix.length) : id;
  const at = ordinal === '' ? -1 : bare.lastIndexOf(ordinal);
  const name = at >= 0 && /^\d*$/.test(bare.slice(at + ordinal.length)) ? bare.slice(0, at) : bare;
  return { name: /^\d+$/.test(name) ? '' : name };
}

/** The id as the format's models write it. */
export function writeId(name: string, index: number, prefix: string, ordinal: string): string {
  return `${prefix}${name}${ordinal}${String(index)}`;
}
