import { followBy } from './following.ts';
import type { Following } from './following.ts';
import { ServerFrame } from './live.ts';

/** The frames of a server as they come, each checked by its schema, until the signal says stop. */
export function follow(following: Following): AsyncGenerator<ServerFrame, void, undefined> {
  return followBy((text) => ServerFrame.parse(JSON.parse(text)), following);
}
