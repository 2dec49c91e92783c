import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Variables } from './variables.ts';

/** Where managers of tool chains look for what they installed, and the folder of the user's home that they take by themselves. */
const FOLDERS: Readonly<Record<string, string>> = {
  RUSTUP_HOME: '.rustup',
  PYENV_ROOT: '.pyenv',
  RBENV_ROOT: '.rbenv',
  NODENV_ROOT: '.nodenv',
  GOENV_ROOT: '.goenv',
  ASDF_DATA_DIR: '.asdf',
  MISE_DATA_DIR: '.local/share/mise',
  VOLTA_HOME: '.volta',
  NVM_DIR: '.nvm',
  SDKMAN_DIR: '.sdkman',
};

/** Further folders of the user's home with programs in them, which are found by PATH or by nothing at all. */
const PROGRAMS = [
  // Not the whole of it, where its credentials lie.
  '.cargo/bin',
  '.cargo/env',
  'go/bin',
  'go/pkg',
  '.bun',
  '.deno',
  '.dotnet',
  '.elan',
  '.fnm',
  '.ghcup',
  '.jenv',
  '.juliaup',
  '.linuxbrew',
  '.nodebrew',
  '.opam',
  '.phpenv',
  '.rvm',
  '.swiftly',
  '.conda',
  'anaconda3',
  'miniconda3',
  'miniforge3',
  '.local/bin',
  '.local/lib',
  '.local/pipx',
  '.local/share/fnm',
  '.local/share/pipx',
  '.local/share/pnpm',
  '.local/share/rtx',
  '.local/share/swiftly',
  '.local/share/uv',
  '.local/share/virtualenvs',
];

/** The variables by which tools find their versions although their home is another one. */
export function toolChains(user: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(FOLDERS).flatMap(([variable, folder]) => {
      const inHome = user['HOME'] === undefined ? undefined : join(user['HOME'], folder);
      const path = user[variable] ?? inHome;
      return path !== undefined && existsSync(path) ? [[variable, path]] : [];
    }),
  );
}

/** The names of all folders in which tool chains of the user may lie. */
export function toolChainFolders(user: Variables): string[] {
  const { HOME: home } = user;
  return [...Object.values(toolChains(user)), ...(home === undefined ? [] : PROGRAMS.map((folder) => join(home, folder)))];
}
