import { Component } from 'react';
import type { ReactNode } from 'react';
import { toast } from '../ui/toast.tsx';

type Given = { readonly children: ReactNode; readonly onCaught: () => void };

/**
 * Around what is fetched when it is wanted: where it cannot be had, that is told, and the page below stays. `onCaught` takes away what
 * was wanted; a key that changes with that makes room for the next.
 */
export class Caught extends Component<Given, { readonly broken: boolean }> {
  override readonly state = { broken: false };

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true };
  }

  override componentDidCatch(error: unknown): void {
    const text = `This part of the app could not be shown. Nothing changed. (${error instanceof Error ? error.message : String(error)})`;
    toast({ kind: 'refused', text, act: { label: 'Load again', run: () => location.reload() } });
    this.props.onCaught();
  }

  override render(): ReactNode {
    return this.state.broken ? null : this.props.children;
  }
}
