create table charges (
  id text primary key,
  account text not null,
  amount bigint not null check (amount > 0),
  currency char(3) not null,
  state text not null default 'pending',
  created_at timestamptz not null default now()
);
