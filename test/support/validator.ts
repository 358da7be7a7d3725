import { HtmlValidate, StaticConfigLoader } from 'html-validate'

/** The recommended rules, except for these. */
const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ['html-validate:recommended'],
    elements: ['html5'],
    rules: {
      // The renderer writes <br/>, which the standard allows too.
      'void-style': ['error', { style: 'selfclosing' }],
      'doctype-style': ['error', { style: 'lowercase' }],
      // Fields with the same name are lists: checkboxes, and the hidden ones for the photos' order.
      'form-dup-name': 'off',
      // Lists and drawings are labeled where no heading describes them.
      'aria-label-misuse': ['error', { allowAnyNamable: true }],
      // The class does what non-breaking spaces would, and a copied number has plain ones.
      'tel-non-breaking': ['error', { ignoreClasses: ['whitespace-nowrap'] }],
      // Agents choose the titles of listings; search engines truncate them.
      'long-title': 'off',
    },
  }),
)

/** Validation errors of a page; empty if it is valid. */
export async function validatorSays(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ ruleId, message, selector, offset }) =>
        `${ruleId}: ${message} (${selector ?? html.slice(offset, offset + 60)})`,
    ),
  )
}
