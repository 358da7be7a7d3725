// Answers while one types; without scripts the form asks the server.
for (const form of document.querySelectorAll('form[data-mortgage]')) {
  form.querySelector('[data-without-script]')?.remove()
  const result = form.querySelector('.mortgage-result')
  const price = Number(form.dataset.mortgage)
  const money = amount => `$${Math.round(amount).toLocaleString('en-US')} ${form.dataset.currency}`
  const update = () => {
    if (!result) return form.requestSubmit()
    result.hidden = !form.checkValidity()
    const { down, years, rate } = Object.fromEntries(
      [...new FormData(form)].map(([name, value]) => [name, Number(value)]),
    )
    const loan = price * (1 - down / 100)
    const monthly = rate / 1200
    const months = years * 12
    const payment = monthly === 0 ? loan / months : (loan * monthly) / (1 - (1 + monthly) ** -months)
    result.querySelector('[data-monthly]').textContent = money(payment)
    result.querySelector('[data-loan]').textContent = money(loan)
    result.querySelector('[data-down]').textContent = money(price - loan)
  }
  form.addEventListener(result ? 'input' : 'change', update)
}
