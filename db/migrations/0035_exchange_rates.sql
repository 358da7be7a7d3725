-- Prices in pesos and dollars are compared at a stored rate of a known day; the history keeps old comparisons explainable.
create table exchange_rates (
  day date primary key,
  mxn_per_usd numeric(10, 6) not null check (mxn_per_usd between 1 and 1000),
  source text not null check (char_length(source) between 1 and 200),
  stored_at timestamptz not null default now()
);
