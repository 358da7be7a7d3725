// Saves the search index over and over, for the fault test to kill: `tsx index-worker.ts DATABASE_URL FOLDER`.
import pino from 'pino'
import { Feed } from '../../src/search/feed/feed.ts'
import { SavedIndex } from '../../src/search/feed/saved-index.ts'

const [url = '', folder = ''] = process.argv.slice(2)
const logger = pino({ level: 'silent' })
const saving = { folder, minutes: 15, saves: true }
const feed = new Feed({ url, logger, saving, addressWord: [0, 0] })
await feed.refresh()
for (;;) {
  await new SavedIndex(saving, logger).close(() => feed.savable)
  process.send?.('saved')
}
