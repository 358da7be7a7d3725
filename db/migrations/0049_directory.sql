-- The directory is read by name: sorting all agents took most of the time of a page of it.
create index agents_directory on agents (name_fold, id) where in_directory and verified_at is not null and not is_test;
