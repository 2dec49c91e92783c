import { makeCreated, makeResult } from '../../test/support/created.ts';
import { storeConformance } from './conformance.ts';
import { memoryStore } from './memory.ts';

storeConformance('memory', { open: async () => memoryStore(), created: makeCreated, result: makeResult });
