import { existsSync } from 'node:fs';
import { join } from 'node:path';

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

/** The variables by which tools find their versions although their home is another one. */
export function toolChains(user: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(FOLDERS).flatMap(([variable, folder]) => {
      const inHome = user['HOME'] === undefined ? undefined : join(user['HOME'], folder);
      const path = user[variable] ?? inHome;
      return path !== undefined && existsSync(path) ? [[variable, path]] : [];
    }),
  );
}
