import { run } from '../bench/site.ts'
await run(process.argv.slice(2))
