// SPDX-License-Identifier: Apache-2.0

// oxlint-disable-next-line no-control-regex -- control characters are to be replaced
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/**
 * Replaces control characters, except tabs and line breaks, by visible symbols, so that text from a configuration cannot move a terminal's
 * cursor or change its colours.
 */
export function visibleControls(text: string): string {
  return text.replace(controls, (control) => {
    const code = control.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : "\ufffd";
  });
}
