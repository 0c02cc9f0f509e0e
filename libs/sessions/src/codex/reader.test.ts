import { describe, expect, it } from 'vitest';
import { callOf, memoryFile, promptOf, readAll, readOne, sampledOf } from '../session.fixture.js';
import { codexReader } from './reader.js';
import { answers, asks, calls, counted, event, item, meta, output, rollout } from './rollout.fixture.js';

const read = (...records: Parameters<typeof rollout>) => readOne(codexReader, rollout(...records));
const only = async (...records: Parameters<typeof rollout>) => {
  const session = await read(...records);
  expect(session.calls).toHaveLength(1);
  return callOf(session, session.calls[0]?.id ?? '');
};

describe('replies of a rollout', () => {
  it('come from response items; what the interface was told is not a second reply', async () => {
    const session = await read(meta('s'), asks('add'), event('user_message', { message: 'add' }), event('agent_reasoning', { text: 'sum' }), item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'sum' }], content: null, encrypted_content: 'x' }), event('agent_message', { message: 'Sum.' }), answers('Sum.'), counted(7, 2));
    expect(session.calls.map((call) => [call.sampled.map((part) => [part.kind, part.exactness]), call.usage, call.finishReason])).toEqual([[[['reasoning', 'summary-only'], ['text', 'bytes']], { inputTokens: 7, outputTokens: 2 }, 'stop']]);
  });
  it('keep argument strings byte for byte', async () => {
    const session = await read(meta('s'), asks('go'), calls('c1', '{"cmd":  "ls",\n"n": 1.0}'), calls('c2', '{"n":12345678901234567890}'), output('c1', 'x'), output('c2', 'y'), counted(1, 1), answers('ok'));
    expect(sampledOf(session, 'c1')).toEqual(['exec_command({"cmd":  "ls",\n"n": 1.0})', 'exec_command({"n":12345678901234567890})']);
    expect(callOf(session, 'c1')).toMatchObject({ finishReason: 'tool-calls', sampled: [{ exactness: 'bytes' }, { exactness: 'bytes' }] });
    expect(promptOf(session, 'call-1').slice(2)).toEqual(['tool: x', 'tool: y']);
  });
  it('with a patch hold its text under `input` and do not call it the sampled bytes', async () => {
    const patch = '*** Begin Patch\n*** End Patch';
    const session = await read(meta('s'), asks('go'), item({ type: 'custom_tool_call', call_id: 'p', name: 'apply_patch', input: patch }), item({ type: 'custom_tool_call_output', call_id: 'p', output: 'Done' }), answers('ok'));
    expect(callOf(session, 'p').sampled).toMatchObject([{ name: 'apply_patch', arguments: `{"input": ${JSON.stringify(patch)}}`, exactness: 're-rendered' }]);
    expect(promptOf(session, 'call-1').at(-1)).toBe('tool: Done');
  });
  it('of the built-in shell and search are calls with the value of their action', async () => {
    const call = await only(meta('s'), asks('go'), item({ type: 'local_shell_call', call_id: 'l', action: { type: 'exec', command: ['ls'] } }), item({ type: 'web_search_call', id: 'w', action: { query: 'q' } }));
    expect(call.sampled).toMatchObject([{ name: 'local_shell', arguments: '{"type": "exec", "command": ["ls"]}' }, { name: 'web_search', arguments: '{"query": "q"}' }]);
  });
  it.each([
    ['sampled text', { content: [{ type: 'reasoning_text', text: 'hm' }], summary: [] }, 'hm', 'bytes'],
    ['a summary', { content: null, summary: [{ type: 'summary_text', text: 'in short' }], encrypted_content: 'x' }, 'in short', 'summary-only'],
    ['ciphertext', { summary: [], encrypted_content: 'x' }, '', 'withheld'],
  ])('tell %s of reasoning apart', async (_what, fields, text, exactness) => {
    // because openai/codex#36551: other providers store the reasoning itself
    expect((await only(meta('s'), asks('q'), item({ type: 'reasoning', ...fields }), answers('a'))).sampled[0]).toMatchObject({ kind: 'reasoning', text, exactness });
  });
  it('are not what another agent sent in the role of the assistant', async () => {
    // because openai/codex#25458: a task is recorded as an assistant message
    const session = await read(meta('s'), answers('Message Type: NEW_TASK\nTask name: /root/a\nSender: /root\nPayload:\nlook'), answers('Looked.', { id: 'm' }));
    expect(session.calls.map((call) => call.sampled.map((part) => ('text' in part ? part.text : '')))).toEqual([['Looked.']]);
    expect(callOf(session, 'm').prompt.head?.message).toMatchObject({ role: 'assistant', parts: [{ author: 'other-agent' }] });
  });
  it('that the server did not count, where it counts, were cut', async () => {
    const session = await read(meta('s'), asks('a'), answers('A'), ['token_usage_record', { response_id: 'r1', usage: { input_tokens: 3, output_tokens: 1 } }], asks('b'), answers('B, and th'), event('turn_aborted'));
    expect(session.calls.map((call) => [call.finishReason, call.lossReason])).toEqual([['stop', undefined], ['aborted', 'aborted-reply']]);
  });
  it('that hit the limit did not end', async () => {
    expect(await only(meta('s'), asks('a'), answers('A'), counted(1, 1), event('task_complete', { error: { message: 'Incomplete response returned, reason: max_output_tokens' } }))).toMatchObject({ finishReason: 'length', loss: true });
  });
});

describe('the history of a rollout', () => {
  it('has harness texts that nobody typed', async () => {
    const call = await only(meta('s'), item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'rules' }] }), asks('<environment_context>x</environment_context>'), asks('go'), answers('ok'));
    const authors = [];
    for (let node = call.prompt.head; node !== undefined; node = node.parent) authors.unshift(`${node.message.role} ${node.message.parts[0]?.author}`);
    expect(authors).toEqual(['system system', 'user harness', 'user user']);
  });
  it('begins with the base instructions, also after a compaction', async () => {
    const session = await read(meta('s', { base_instructions: { text: 'be brief' } }), asks('a'), answers('A'), ['compacted', { message: '', replacement_history: [] }], asks('b'), answers('B'));
    expect([promptOf(session, 'call-0'), promptOf(session, 'call-1')]).toEqual([['system: be brief', 'user: a'], ['system: be brief', 'user: b']]);
  });
  it('loses the last turns when they are rolled back', async () => {
    const session = await read(meta('s'), asks('a'), answers('A'), asks('b'), answers('B'), asks('c'), answers('C'), event('thread_rolled_back', { num_turns: 2 }), asks('d'), answers('D'));
    expect(promptOf(session, 'call-3')).toEqual(['user: a', 'assistant: A', 'user: d']);
    expect(session.calls.map((call) => [call.parentId, call.loss])).toEqual([[undefined, true], ['call-0', true], ['call-1', true], ['call-0', true]]);
    expect(session.operations).toMatchObject([{ kind: 'rewind', callId: 'call-3' }]);
  });
  it('is what a compaction stored, and the replies in it are context', async () => {
    const session = await read(meta('s'), asks('a'), answers('A'), ['compacted', { message: '', replacement_history: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] }, { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A' }] }, { type: 'compaction', encrypted_content: 'x' }] }], asks('b'), answers('B'));
    expect(promptOf(session, 'call-1')).toEqual(['user: a', 'assistant: A', 'user: ', 'user: b']);
    expect(session.calls.map((call) => call.parentId)).toEqual([undefined, undefined]);
    expect(session.operations).toMatchObject([{ kind: 'compaction', callId: 'call-1' }]);
  });
  it('is the messages of the user and a summary where a compaction stored no history', async () => {
    const session = await read(meta('s'), asks('a'), answers('A'), ['compacted', { message: 'so far' }], asks('b'), answers('B'));
    expect(promptOf(session, 'call-1')).toEqual(['user: a', 'user: so far', 'user: b']);
    expect(callOf(session, 'call-1').prompt).toMatchObject({ status: 'approximate' });
  });
  it('is exact where requests keep their tools as items', async () => {
    const session = await read(meta('s', { base_instructions: { text: 'unused' } }), item({ type: 'additional_tools', role: 'developer', tools: [{ type: 'namespace', name: 'functions', tools: [{ type: 'function', name: 'f', parameters: { type: 'object' } }] }] }), asks('a'), answers('A'));
    expect(session.calls[0]?.prompt).toMatchObject({ status: 'exact', reasons: [] });
    expect(promptOf(session, 'call-0')).toEqual(['user: a']);
    expect(session).toMatchObject({ tools: { status: 'known', value: [{ name: 'f' }] } });
  });
  it('answers calls that were left open as the client does, before the other outputs', async () => {
    // because ingo-eichhorst/Irrlicht#453: after an abort the call never gets a result, and the client sends "aborted"
    const session = await read(meta('s'), asks('run'), calls('c1', '{}'), calls('c2', '{}'), output('c2', 'two'), event('turn_aborted', { reason: 'interrupted' }), asks('stop'), answers('sure'));
    expect(promptOf(session, 'call-1').slice(2)).toEqual(['tool: aborted', 'tool: two', 'user: stop']);
    expect(callOf(session, 'call-1').prompt.reasons).toContain('call-without-output');
    expect(callOf(session, 'c1')).toMatchObject({ loss: true, finishReason: 'tool-calls' });
  });
  it('behind a damaged record is unknown, and before it is not', async () => {
    const [first, second] = [rollout(meta('s'), asks('a'), answers('A')), rollout(asks('b'), answers('B'))];
    const session = await readOne(codexReader, `${first}{"type":"response_item","payload":{"typ\n${second}`);
    expect(session.calls.map((call) => [call.loss, call.lossReason])).toEqual([[true, undefined], [false, 'prompt-incomplete']]);
    expect(session.diagnostics).toMatchObject([{ code: 'cut-record', byteOffset: first.length }]);
  });
  it('survives a damaged event and a damaged first line', async () => {
    const session = await readOne(codexReader, `{"timestamp":"2026\n${rollout(asks('a'))}{"type":"event_msg","payload":{"ty\n${rollout(answers('A'))}`);
    expect(session).toMatchObject({ id: 'session', calls: [{ loss: true }] });
  });
});

describe('other files of Codex', () => {
  it('forks hold the replies of their parent as context', async () => {
    const parent = [asks('a'), answers('A')];
    const seen = new Set<string>();
    await readAll(codexReader, memoryFile(rollout(meta('p'), ...parent)), seen);
    const child = await readOne(codexReader, rollout(meta('k', { forked_from_id: 'p' }), meta('p'), ...parent, asks('b'), answers('B')), seen);
    expect(child).toMatchObject({ id: 'k', calls: [{ loss: true }], operations: [{ kind: 'fork' }] });
    expect(promptOf(child, 'call-0')).toEqual(['user: a', 'assistant: A', 'user: b']);
    expect(child.diagnostics).toMatchObject([{ code: 'copied-replies' }]);
  });
  it('agents have a name of their own', async () => {
    const call = await only(meta('k', { agent_path: '/root/a', source: { subagent: { thread_spawn: { parent_thread_id: 'p' } } } }), asks('a'), answers('A'));
    expect(call.agent).toEqual({ id: '/root/a' });
  });
  it('the first generation has bare items', async () => {
    const lines = [{ id: 's', timestamp: 't', instructions: 'rules', git: null }, { record_type: 'state' }, asks('a')[1], answers('A')[1]].map((line) => JSON.stringify(line)).join('\r\n');
    const session = await readOne(codexReader, lines);
    expect(session).toMatchObject({ id: 's', systemPrompt: { status: 'known', value: 'rules' }, calls: [{ loss: true }] });
  });
  it('with interface events only give their texts, and no loss where calls are missing', async () => {
    // because graykode/abtop#170: a file that is not empty must not silently be nothing
    const done = (fields: object) => event('item_completed', { item: fields });
    const plain = await read(done({ type: 'UserMessage', content: [{ type: 'text', text: 'hi' }] }), done({ type: 'AgentMessage', id: 'a', content: [{ type: 'Text', text: 'hello' }] }));
    expect(plain.calls).toMatchObject([{ loss: true, prompt: { status: 'approximate' }, sampled: [{ text: 'hello' }] }]);
    const tools = await readOne(codexReader, [{ type: 'thread.started', thread_id: 't' }, { type: 'item.completed', item: { id: 'i', type: 'command_execution', command: 'ls' } }, { type: 'item.completed', item: { id: 'j', type: 'agent_message', text: 'done' } }].map((line) => JSON.stringify(line)).join('\n'));
    expect(tools).toMatchObject({ id: 't', calls: [{ loss: false, lossReason: 'calls-not-recorded' }] });
    expect((await read(meta('s'), event('turn.completed'))).diagnostics).toMatchObject([{ code: 'no-model-calls' }]);
  });
});
