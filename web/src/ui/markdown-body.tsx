import { isValidElement } from 'react';
import type { JSX, ReactNode } from 'react';
import ReactMarkdown from 'react-markdown';
import type { Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { Plain } from './plain.tsx';
import { hostBeside, nameHidden, safeHref } from './safe-markdown.ts';

/** Markdown that was drawn; loaded when the first text needs it. */
export function MarkdownBody({ text }: { readonly text: string }): JSX.Element {
  return (
    <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={[nameHidden]} urlTransform={asWritten} components={COMPONENTS}>
      {text}
    </ReactMarkdown>
  );
}

/** Addresses are judged where they are shown, because those that are not followed are shown too. */
function asWritten(address: string): string {
  return address;
}

/** A heading of a text is none of the page. */
function Heading({ children }: { readonly children?: ReactNode }): JSX.Element {
  return <p className="font-semibold text-fg">{children}</p>;
}

const COMPONENTS: Components = {
  a: ({ href = '', children }) => <Link address={href}>{children}</Link>,
  img: ({ src, alt }) => <Picture address={typeof src === 'string' ? src : ''} words={alt ?? ''} />,
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  ul: ({ children }) => <ul className="grid list-disc gap-0.5 pl-5">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="grid list-decimal gap-0.5 pl-5">
      {children}
    </ol>
  ),
  blockquote: ({ children }) => <blockquote className="grid gap-1.5 border-l-2 border-line-strong pl-3">{children}</blockquote>,
  code: ({ children }) => <code className="rounded-1 bg-sunken px-1 py-px text-code text-fg">{children}</code>,
  pre: ({ children }) => (
    // A region that scrolls has to be reachable by keyboard.
    <pre
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="overflow-x-auto rounded-2 bg-sunken px-2.5 py-1.5 text-[12px]/[18px] text-fg [overflow-wrap:normal] [&>code]:bg-transparent [&>code]:p-0 [&>code]:text-[12px]"
    >
      {children}
    </pre>
  ),
  table: ({ children }) => (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div tabIndex={0} className="overflow-x-auto">
      <table className="border-collapse text-base [&_td]:border-b [&_td]:border-line [&_td]:py-1 [&_td]:pr-4 [&_th]:border-b [&_th]:border-line-strong [&_th]:py-1 [&_th]:pr-4 [&_th]:text-left [&_th]:font-semibold">
        {children}
      </table>
    </div>
  ),
  hr: () => <hr className="border-line" />,
  input: ({ checked }) => <span>{checked === true ? '☑ ' : '☐ '}</span>,
};

function Link({ address, children }: { readonly address: string; readonly children: ReactNode }): JSX.Element {
  const href = safeHref(address);
  const words = textOf(children);
  // What is no address of the web is shown, and goes nowhere.
  if (href === null)
    return (
      <>
        {children}
        {address === '' || address === words || address.startsWith('#') ? null : <Aside text={address} />}
      </>
    );
  const host = hostBeside(href, words);
  return (
    <>
      <a
        href={href}
        target="_blank"
        rel="noreferrer noopener"
        className="text-fg underline decoration-line-strong underline-offset-2 hover:decoration-current"
      >
        {children}
      </a>
      {host === null ? null : <Aside text={host} />}
    </>
  );
}

/** A picture would tell somebody that it was looked at: its words and its address are enough. */
function Picture({ address, words }: { readonly address: string; readonly words: string }): JSX.Element {
  return (
    <span>
      <Plain text={words === '' ? 'A picture' : words} />
      <Aside text={address} />
    </span>
  );
}

function Aside({ text }: { readonly text: string }): JSX.Element {
  return (
    <span className="text-fg-3">
      {' ('}
      <Plain text={text.length > 200 ? `${text.slice(0, 200)}…` : text} />
      {')'}
    </span>
  );
}

function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join('');
  return isValidElement<{ readonly children?: ReactNode }>(node) ? textOf(node.props.children) : '';
}
