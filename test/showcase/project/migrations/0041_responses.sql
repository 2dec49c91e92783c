create table responses (
  key text primary key,
  response text not null,
  created_at timestamptz not null default now()
);
