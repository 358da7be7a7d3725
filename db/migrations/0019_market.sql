-- The market between verified agents. It also has the listings whose owner does not want them on other agents' sites:
-- everything public is on the market, not the other way around.

create function is_on_market(listing listings, agent agents) returns boolean
  language sql immutable parallel safe
  return listing.status = 'published' and not listing.imported and is_public(agent);

create or replace function is_public(listing listings, agent agents) returns boolean
  language sql immutable parallel safe
  return is_on_market(listing, agent) and not listing.idx_opt_out;

-- When the asking price was last lowered; null once it is raised again. In no record.
alter table listings add column price_lowered_at timestamptz;

create function note_price() returns trigger language plpgsql as $$
begin
  new.price_lowered_at := case when
      new.sale_price < old.sale_price and new.sale_currency = old.sale_currency
      or new.rent_price < old.rent_price and new.rent_currency = old.rent_currency and new.rent_period = old.rent_period
    then now_ms() end;
  return new;
end $$;

create trigger listings_price before update on listings
  for each row when (
    old.published_at is not null
    and (old.sale_price, old.sale_currency, old.rent_price, old.rent_currency, old.rent_period)
      is distinct from (new.sale_price, new.sale_currency, new.rent_price, new.rent_currency, new.rent_period))
  execute function note_price();
