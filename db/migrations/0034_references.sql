-- Completion finds a public listing by the start of the caller's own identifier, whichever agent's it is.
create index listings_reference on listings (lower(external_id) text_pattern_ops)
  where external_id is not null and status = 'published' and not idx_opt_out and not imported;
