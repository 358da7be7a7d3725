import { MemorySearch } from './memory.ts'
import type { Search, SearchOptions } from './service.ts'
import { SqlSearch } from './sql/service.ts'

/** From memory unless asked otherwise. */
export const openSearch = ({
  engine,
  ...options
}: SearchOptions & { engine?: 'memory' | 'sql' | undefined }): Search =>
  engine === 'sql' ? new SqlSearch(options) : new MemorySearch(options)
