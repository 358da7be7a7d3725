import { onRecord } from '../portal/audit.ts'
import { listRates, setRate } from '../rates/service.ts'
import { type Command, type OnDatabase, optional, required } from './command.ts'

const LISTED = 30

export const rateCommands = (onDatabase: OnDatabase): Record<string, Command> => ({
  'rate set': {
    summary: 'Store the pesos per dollar of a day (default: today), to compare prices in one currency.',
    argument: 'RATE',
    options: { source: required('TEXT'), date: optional('YYYY-MM-DD') },
    async run({ argument, source = '', date }) {
      const now = new Date()
      const sent = { day: date ?? now.toISOString().slice(0, 10), mxn_per_usd: argument, source }
      const rate = await onDatabase(db =>
        onRecord(
          db,
          null,
          tx => setRate(tx, sent, now),
          ({ day, mxnPerUsd }) => ({
            action: 'rate.set',
            subject: `${mxnPerUsd} MXN/USD, ${day}`,
            note: source,
          }),
        ),
      )
      return { data: recordOf(rate), text: `${rate.mxnPerUsd} pesos per dollar on ${rate.day}.` }
    },
  },
  'rate list': {
    summary: 'List the stored exchange rates, latest first.',
    async run() {
      const rates = await onDatabase(db => listRates(db, LISTED))
      const lines = rates.map(({ day, mxnPerUsd, source }) => `${day}  ${mxnPerUsd}  ${source}`)
      return { data: rates.map(recordOf), text: lines.join('\n') || 'There is no exchange rate yet.' }
    },
  },
})

const recordOf = ({ day, mxnPerUsd, source }: Awaited<ReturnType<typeof setRate>>) => ({
  date: day,
  mxn_per_usd: mxnPerUsd,
  source,
})
