import type { ComponentChildren } from 'preact'
import { useVisit } from '../../site/visit.ts'
import { LABELS } from './filters.ts'

export interface FieldProps {
  name: string
  query: URLSearchParams
  wrong: Set<string>
}

function Labeled({
  name,
  wrong,
  children,
}: {
  name: string
  wrong: Set<string>
  children: ComponentChildren
}) {
  const { lang } = useVisit()
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label class={wrong.has(name) ? 'is-second is-wrong' : 'is-second'}>
      <span>{LABELS[name]?.[lang]}</span>
      {children}
    </label>
  )
}

export function Text({ name, query, wrong, list }: FieldProps & { list?: string }) {
  return (
    <Labeled name={name} wrong={wrong}>
      <input
        class="input w-full"
        name={name}
        type="text"
        list={list}
        maxlength={200}
        value={query.get(name) ?? ''}
        aria-invalid={wrong.has(name) || undefined}
      />
    </Labeled>
  )
}

/** `example`: of an amount that may also be written with words, for which a keyboard of digits would not do. */
export function Figure({ name, query, wrong, example }: FieldProps & { example?: string }) {
  return (
    <Labeled name={name} wrong={wrong}>
      <input
        class="input w-full"
        name={name}
        type="text"
        inputmode={example ? undefined : 'numeric'}
        placeholder={example}
        autocomplete="off"
        value={query.get(name) ?? ''}
        aria-invalid={wrong.has(name) || undefined}
      />
    </Labeled>
  )
}

/** A value missing from the options, as in a handwritten URL, stays selected. */
export function Choice({
  name,
  query,
  wrong,
  empty,
  options,
}: FieldProps & { empty: string; options: [string, string][] }) {
  const chosen = query.get(name) ?? ''
  const all =
    chosen === '' || options.some(([value]) => value === chosen)
      ? options
      : [...options, [chosen, chosen.slice(0, 40)] as [string, string]]
  return (
    <Labeled name={name} wrong={wrong}>
      <select class="select w-full" name={name}>
        <option value="">{empty}</option>
        {all.map(([value, text]) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </Labeled>
  )
}

export function AtLeast(props: FieldProps) {
  const { t } = useVisit()
  return (
    <Choice
      {...props}
      empty={t('Cualquiera', 'Any')}
      options={[1, 2, 3, 4, 5].map(n => [String(n), `${n}+`])}
    />
  )
}

export function AtMost(props: FieldProps) {
  const { t } = useVisit()
  return (
    <Choice
      {...props}
      empty={t('Sin máximo', 'No maximum')}
      options={[1, 2, 3, 4, 5].map(n => [String(n), String(n)])}
    />
  )
}

export function Checks(props: {
  legend: string
  name: string
  query: URLSearchParams
  options: [string, string][]
}) {
  const chosen = new Set(props.query.getAll(props.name))
  return (
    <fieldset class="checks">
      <legend>{props.legend}</legend>
      {props.options.map(([value, text]) => (
        <label>
          <input
            class="checkbox checkbox-sm"
            type="checkbox"
            name={props.name}
            value={value}
            checked={chosen.has(value)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  )
}

/** Around a point: people change only the distance, the point comes from the URL. */
export function Circle({ query }: { query: URLSearchParams }) {
  if (!query.has('lat') && !query.has('lng') && !query.has('radius_km')) return null
  return (
    <div class="search-grid">
      <Figure name="radius_km" query={query} wrong={new Set()} />
      {['lat', 'lng'].map(
        name => query.has(name) && <input type="hidden" name={name} value={query.get(name) ?? ''} />,
      )}
    </div>
  )
}
