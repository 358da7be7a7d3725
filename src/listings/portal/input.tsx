import { useVisit } from '../../portal/context.ts'
import { Checkbox, TextArea, TextField } from '../../ui/forms.tsx'
import { columnOf, type FieldName, LISTING_FIELDS, type Panel } from '../fields.ts'

const INPUT_MODES = { integer: 'numeric', decimal: 'decimal' } as const

/** A form field as described in `fields.ts`. Choices are rendered by their panel. */
export function Input({ name, rows }: { name: FieldName; rows?: number }) {
  const { lang } = useVisit()
  const { form, field, hint, [lang]: label } = columnOf(name)
  const props = { name, label, ...(hint ? { hint: hint[lang] } : {}) }
  if (form === 'flag') return <Checkbox {...props} />
  const maxlength = longest(field.schema)
  const bounds = { required: !field.nullable, ...(maxlength ? { maxlength } : {}) }
  if (form === 'lines') return <TextArea {...props} {...bounds} {...(rows ? { rows } : {})} />
  if (form === 'url') return <TextField {...props} {...bounds} type="url" placeholder="https://" />
  const isNumber = form === 'integer' || form === 'decimal'
  return <TextField {...props} {...bounds} {...(isNumber ? { inputmode: INPUT_MODES[form] } : {})} />
}

interface TextSchema {
  maxLength?: number
  /** Any control submitted as text. */
  anyOf?: TextSchema[]
}

const longest = ({ maxLength, anyOf = [] }: TextSchema): number | undefined =>
  maxLength ?? anyOf.find(one => one.maxLength)?.maxLength

/** The panel's automatic fields: either its flags or the others. */
export const fieldsOn = (panel: Panel, isFlag = false): FieldName[] =>
  LISTING_FIELDS.filter(name => {
    const column = columnOf(name)
    return column.panel === panel && (column.form === 'flag') === isFlag
  })

export const Inputs = ({ names }: { names: readonly FieldName[] }) => (
  <>
    {names.map(name => (
      <Input key={name} name={name} />
    ))}
  </>
)
