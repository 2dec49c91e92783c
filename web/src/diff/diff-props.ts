import type { Ref } from 'react';
import type { Whitespace } from '../../../src/core/change-view.ts';
import type { FindingOutput } from '../../../src/core/output.ts';
import type { LoopView } from '../../../src/core/view.ts';
import type { DiffFile } from './diff-file.ts';
import type { DiffHandle } from './steering.ts';

/** What a diff shows. */
export type DiffProps = {
  /** As `BASE..HEAD`. */
  readonly change: string;
  readonly files: readonly DiffFile[];
  readonly findings: readonly FindingOutput[];
  readonly loop: LoopView | null;
  readonly whitespace: Whitespace;
  readonly style: 'unified' | 'split';
  readonly handle?: Ref<DiffHandle>;
  /** Hears which file is being read. */
  readonly onFile?: (path: string) => void;
  /** What changed in a file since the last look or round, in words. */
  readonly since?: (file: DiffFile) => readonly string[];
};
