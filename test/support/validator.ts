import { HtmlValidate, StaticConfigLoader } from 'html-validate'

/** The standard's rules and those of good style, all of them but these. */
const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ['html-validate:recommended'],
    elements: ['html5'],
    rules: {
      // The renderer writes <br/>, which the standard takes as well.
      'void-style': ['error', { style: 'selfclosing' }],
      // In small letters, as we write everything.
      'doctype-style': ['error', { style: 'lowercase' }],
      // Fields of one name are a list: checkboxes, and the hidden ones that hold the photos' order.
      'form-dup-name': 'off',
      // Lists and drawings have names where no heading says what they are.
      'aria-label-misuse': ['error', { allowAnyNamable: true }],
      // A listing is called what its agent calls it; search engines cut where they like.
      'long-title': 'off',
    },
  }),
)

/** What a validator says of a page; empty if it is well made. */
export async function validatorSays(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ ruleId, message, selector, offset }) =>
        `${ruleId}: ${message} (${selector ?? html.slice(offset, offset + 60)})`,
    ),
  )
}
