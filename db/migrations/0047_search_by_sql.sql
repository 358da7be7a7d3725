-- Search by SQL counts and sorts public listings from this index alone, without reading their rows.
create index listings_shown on listings (state, property_type, city_fold)
  include (id, featured, published_at, created_at, updated_at, sale_price, sale_currency, rent_price, rent_currency, bedrooms,
    bathrooms, parking, floors, construction_m2, lot_m2, neighborhood_fold, public_lat, public_lng)
  where shown;

create index listings_public_point on listings (public_lat, public_lng) where shown;

-- Its names are read one by one along this index: they are few.
create index listings_municipality on listings (municipality) where municipality is not null;
