import type { ServerFrame } from '../../../src/api/contract/live.ts';

/** Reads a frame of the server of this page, which checked it by its schema before. What has no such form comes from a newer one. */
export function readFrame(text: string): ServerFrame {
  const said: unknown = JSON.parse(text);
  if (typeof said !== 'object' || said === null || !('type' in said) || !isWhole(said.type, said))
    throw new Error('a frame that this page does not know');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return said as ServerFrame;
}

/** Whether it has what is used of it here. */
function isWhole(type: unknown, said: object): boolean {
  switch (type) {
    case 'hello':
      return 'v' in said && said.v === 1;
    case 'event':
      return 'payload' in said && typeof said.payload === 'object' && said.payload !== null && 'loop' in said.payload;
    case 'unreadable':
      return 'loop' in said;
    case 'snapshot':
      return 'loops' in said && (said.loops === null || Array.isArray(said.loops));
    default:
      return type === 'subscribed' || type === 'pong' || type === 'error';
  }
}
