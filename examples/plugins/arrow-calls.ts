import { definePlugin } from '@turnwright/contracts';
import { defineFormat, frame, jsonArguments, name, plain } from '@turnwright/parsing';

/**
 * A format of one's own, for a model that was trained to write
 *
 *     <<call>>
 *     @read_file-> {"path": "a.py"}
 *     <<end>>
 */
const arrowCalls = defineFormat({
  name: 'arrow_calls',
  source: 'examples/plugins/arrow-calls.ts',
  models: ['my fine-tune'],
  block: { open: plain('<<call>>'), close: plain('<<end>>') },
  call: frame`@${name}-> ${jsonArguments}`,
});

export default definePlugin({ apiVersion: 1, name: 'arrow-calls', formats: [arrowCalls] });
