// SPDX-License-Identifier: Apache-2.0

// oxlint-disable-next-line no-control-regex -- these are what it is about
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/**
 * A text whose control characters, but for tabs and line breaks, are shown by pictures of them: what comes from a configuration
 * must not move a terminal's cursor or change its colours.
 */
export function visibleControls(text: string): string {
  return text.replace(controls, (control) => {
    const code = control.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : "\ufffd";
  });
}
