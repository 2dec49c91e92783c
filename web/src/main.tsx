import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { keepLive } from './api/live.ts';
import { queries } from './api/queries.ts';
import { followAddress, logIn } from './api/session.ts';
import { router } from './router.tsx';
import { showTheme } from './shell/theme.ts';
import './styles/app.css';

// Libraries that make style elements look here for the nonce that lets them.
Object.assign(globalThis, { __webpack_nonce__: document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce });

showTheme();
followAddress();
await logIn();
void keepLive();

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no place for the app');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
