import type { Diagnostic, ReadContext, Session, SessionReader, SourceFile } from '@turnwright/contracts';
import { isObject } from '../json-lines/records.js';
import { rawItems, readDocument } from '../common/document.js';
import { emptySession, noCalls } from '../common/empty-session.js';
import { baseName, listAt, text } from '../common/values.js';
import { detectAtif } from './detect.js';
import type { Trajectory } from './trajectory.js';
import { buildTrajectory } from './trajectory.js';

/** Reads trajectories in the Agent Trajectory Interchange Format, 1.0 to 1.7, with the ones inside them. */
export const atifReader: SessionReader = {
  name: 'atif',
  description: 'ATIF trajectories (Harbor and others), with recorded token ids where they have them',
  detect: (head) => detectAtif(head),
  read: readAtif,
};

async function* readAtif(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const document = await readDocument(source);
  const diagnostics: Diagnostic[] = [...document.diagnostics];
  const roots: Trajectory[] = [];
  const base = { validUtf8: document.validUtf8, positionOf: (index: number) => document.positionOf(index) };
  if (isObject(document.value)) roots.push({ ...base, value: document.value, json: document.json, start: 0 });
  else if (Array.isArray(document.value)) {
    const items: readonly unknown[] = document.value;
    for (const [index, raw] of rawItems(document.json, []).entries()) {
      const value = items[index];
      if (isObject(value)) roots.push({ ...base, value, json: raw.json, start: raw.start });
    }
  }
  let yielded = false;
  for (const trajectory of roots.flatMap(withInner)) {
    context.signal?.throwIfAborted();
    const session = buildTrajectory(trajectory, source.path, baseName(source.path), context.seenReplies);
    const notes = session.calls.length === 0 && listAt(trajectory.value, 'steps').length === 0 ? [noCalls(source.path, 'steps of an agent')] : [];
    yield { ...session, diagnostics: [...diagnostics.splice(0), ...session.diagnostics, ...notes] };
    yielded = true;
  }
  if (!yielded) yield emptySession('atif', source.path, [...diagnostics, noCalls(source.path, 'a trajectory')]);
}

/** A trajectory and those that it holds, outer ones first. */
function withInner(outer: Trajectory): Trajectory[] {
  const found = [outer];
  for (let index = 0; index < found.length; index++) {
    const trajectory = found[index] as Trajectory;
    const items = listAt(trajectory.value, 'subagent_trajectories');
    const parentId = text(trajectory.value['trajectory_id']) ?? text(trajectory.value['session_id']) ?? 'unknown';
    for (const [place, raw] of rawItems(trajectory.json, ['subagent_trajectories']).entries()) {
      const value = items[place];
      if (isObject(value)) found.push({ ...trajectory, value, json: raw.json, start: trajectory.start + raw.start, parentId });
    }
  }
  return found;
}
