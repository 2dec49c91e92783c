import { z } from 'zod';
import { ConfigFile } from './schema.ts';

/** The schema that editors complete `volley.yaml` with; draft 7 is what they understand. */
export function configJsonSchema(): object {
  return { title: 'Volley', ...z.toJSONSchema(ConfigFile, { target: 'draft-7', io: 'input' }) };
}
