import { firstItemOf, sniffHead } from '../common/sniff.js';

/** How surely the bytes are a trajectory in the Agent Trajectory Interchange Format, whichever version they name. */
export function detectAtif(head: Uint8Array): number {
  const { members, firstItem, records } = sniffHead(head);
  if (members.get('schema_version')?.startsWith('"ATIF') === true || firstItem?.['schema_version']?.toString().startsWith('ATIF') === true) return 1;
  if (records.some((record) => typeof record['schema_version'] === 'string' && record['schema_version'].startsWith('ATIF'))) return 1;
  const step = firstItemOf(members.get('steps'));
  return step !== undefined && 'step_id' in step && 'source' in step ? 0.9 : 0;
}
