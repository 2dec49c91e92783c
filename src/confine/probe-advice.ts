/** Why there is no sandbox of the operating system, and what to do about it, one sentence each. */
export type Advice = { readonly why: string; readonly remedy: string };

/** What is known about a machine on which bubblewrap failed. */
export type Machine = {
  /** Whether AppArmor restricts user namespaces, as Ubuntu does since 24.04. */
  readonly apparmor: boolean;
  readonly container: boolean;
};

/** Advice for a machine without bubblewrap. */
export const NOT_INSTALLED: Advice = {
  why: 'bubblewrap (the program bwrap) is not installed.',
  remedy: 'Install it: apt install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora), pacman -S bubblewrap (Arch).',
};

const USER_NAMESPACES =
  /setting up uid map|No permissions to creat|does not support user namespaces|RTM_NEWADDR|RTM_NEWLINK|Creating new namespace failed|Failed to make \/ slave|Can't mount|pivot_root/;

/** Advice for a system that is not Linux. */
export function adviceForPlatform(platform: string): Advice {
  if (platform === 'win32') return { why: 'Windows itself has no sandbox that Volley could use.', remedy: 'Run Volley in WSL 2.' };
  const name = platform === 'darwin' ? 'macOS' : platform;
  return {
    why: `There is no sandbox for ${name} yet.`,
    remedy: 'Run Volley in a virtual machine with Linux, or let it run only what you would start yourself.',
  };
}

/** Advice for a machine on which bubblewrap said this and stopped. */
export function adviceFor(said: string, machine: Machine): Advice {
  const words = said.split('\n').find((line) => line.startsWith('bwrap: ')) ?? said.trim().split('\n').at(-1) ?? '';
  const quoted = words === '' ? '' : ` (${words.trim().slice(0, 200)})`;
  if (!USER_NAMESPACES.test(said)) {
    return { why: `bubblewrap does not work here${quoted}.`, remedy: 'Try it by hand: bwrap --ro-bind / / --unshare-all true.' };
  }
  if (machine.apparmor) {
    return {
      why: `AppArmor keeps bubblewrap from making a sandbox${quoted}.`,
      remedy:
        'Load the profile that allows it: sudo apt install apparmor-profiles && sudo install -m 0644 /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict.',
    };
  }
  if (machine.container && !said.includes('ENOSPC')) {
    return {
      why: `This container does not allow another sandbox in it${quoted}.`,
      remedy:
        'Start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined, or give it nothing but what agents may see.',
    };
  }
  return {
    why: `The kernel does not let you make user namespaces${quoted}.`,
    remedy:
      'Allow them: sudo sysctl -w user.max_user_namespaces=15000, and where there is such a setting sudo sysctl -w kernel.unprivileged_userns_clone=1.',
  };
}
