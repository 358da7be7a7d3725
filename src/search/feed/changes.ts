/** For those who follow the changes of listings at a position of their own, like the matching of needs. */
export { openReader, readChanges, readHistories } from './store.ts'
