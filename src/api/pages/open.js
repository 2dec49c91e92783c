const state = document.getElementById('state');
const list = document.getElementById('loops');
/** Characters that turn text around are named: it is to be read as it is written. */
const BIDI = /[\u202a-\u202e\u2066-\u2069]/g;

/** The code stands behind the #, so that no server, log or other page ever sees it; it goes from the history before it is used. */
const code = new URLSearchParams(location.hash.slice(1)).get('code');
if (code !== null) history.replaceState(null, '', location.pathname);

await (code === null ? null : logIn().catch(tell));
await show().catch(tell);

/** The cookie goes to every server of this host, what is kept here to no other origin: the one counts only with the other. */
async function logIn() {
  const { page } = await ask('POST', '/api/session', { code });
  localStorage.setItem('volley-page', page);
}

async function show() {
  const health = await ask('GET', '/api/health');
  const { loops } = await ask('GET', '/api/loops?limit=50');
  document.title = `${health.project} · Volley`;
  state.textContent = `${health.project}: ${loops.length === 0 ? 'no loops yet' : 'the newest loops'}`;
  list.replaceChildren(...loops.map(itemOf));
  list.hidden = loops.length === 0;
  document.getElementById('more').hidden = false;
}

/** What agents wrote is text and nothing else. */
function itemOf(loop) {
  const item = document.createElement('li');
  const words = [
    `${loop.id}`,
    loop.title,
    loop.needsYou ? 'needs you' : loop.state.replaceAll('_', ' '),
    `${loop.rounds}/${loop.maxRounds}`,
  ];
  item.append(
    ...words.map((text) => {
      const span = document.createElement('span');
      span.textContent = text.replace(BIDI, named);
      return span;
    }),
  );
  item.toggleAttribute('data-needs-you', loop.needsYou);
  return item;
}

function named(char) {
  return `[U+${char.charCodeAt(0).toString(16).toUpperCase()}]`;
}

async function ask(method, path, body) {
  const page = localStorage.getItem('volley-page');
  const response = await fetch(path, {
    method,
    headers: {
      ...(page === null ? {} : { 'x-volley-page': page }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (response.status === 401) throw new Error('Open the address that volley serve prints. It works once; volley serve makes a new one.');
  if (!response.ok) throw new Error(`${answer.message} ${answer.remedy}`);
  return answer;
}

function tell(error) {
  state.textContent = error.message;
  state.dataset.kind = 'error';
}
