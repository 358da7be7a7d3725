-- The end of a suspension has its own name in a listing's history.

alter table listing_changes drop constraint listing_changes_action_check;

-- The operator never unpublished otherwise.
update listing_changes set action = 'lift' where action = 'unpublish' and via = 'operator';

alter table listing_changes add constraint listing_changes_action_check check (action in ('create', 'edit', 'photos',
  'publish', 'reconfirm', 'unpublish', 'withdraw', 'sell', 'rent', 'expire', 'suspend', 'lift'));
