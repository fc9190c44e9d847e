/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTextTest {
    static List<Arguments> hidden() {
        return List.of(
                Arguments.of("a newline", "a\nb", "a\\u000ab"),
                Arguments.of("a carriage return", "a\rb", "a\\u000db"),
                Arguments.of("a tab", "a\tb", "a\\u0009b"),
                Arguments.of("a null", "a\u0000b", "a\\u0000b"),
                Arguments.of("an escape sequence", "a\u001b[2Jb", "a\\u001b[2Jb"),
                Arguments.of("delete", "a\u007fb", "a\\u007fb"),
                Arguments.of("a C1 control", "a\u009b31mb", "a\\u009b31mb"),
                Arguments.of("a next line", "a\u0085b", "a\\u0085b"),
                Arguments.of("a line separator", "a\u2028b", "a\\u2028b"),
                Arguments.of("a paragraph", "a\u2029b", "a\\u2029b"),
                Arguments.of("right to left", "a\u202eb", "a\\u202eb"),
                Arguments.of("an isolate", "a\u2066b", "a\\u2066b"),
                Arguments.of("an Arabic mark", "a\u061cb", "a\\u061cb"),
                Arguments.of("no width", "a\u200bb", "a\\u200bb"),
                Arguments.of("a byte order mark", "a\ufeffb", "a\\ufeffb"),
                Arguments.of("a first half", "a\ud83db", "a\\ud83db"),
                Arguments.of("a second half", "a\ude00b", "a\\ude00b"),
                Arguments.of("halves the other way", "a\ude00\ud83d", "a\\ude00\\ud83d"),
                Arguments.of("a tag", "a\udb40\udc41b", "a\\udb40\\udc41b"));
    }

    @ParameterizedTest
    @MethodSource("hidden")
    void whatCannotBeSeenIsEscaped(String name, String text, String shown) {
        assertThat(PrintableText.of(text)).as(name).isEqualTo(shown);
        assertThat(PrintableText.of(shown)).as("a second time").isEqualTo(shown);
        assertThat(PrintableText.isPlain(text)).as(name).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/cals/meas/day=2017-05-01", "Grüße", "温度", "😀", "", "\\u000a", "<b>", "مرحبا"})
    void otherTextStaysAsItIs(String text) {
        assertThat(PrintableText.of(text)).isSameAs(text);
        assertThat(PrintableText.isPlain(text)).isTrue();
    }

    @Test
    void onlyItemsOfListsAndFramesOfTracesAreLinesOfTheirOwn() {
        assertThat(PrintableText.ofMessage(
                        "2 problems\n  - a\u001b\n  - b\n2026-01-01 INFO fine\n\tat org.x.Y.z(Y.java:1)"))
                .isEqualTo("2 problems\n  - a\\u001b\n  - b\\u000a2026-01-01 INFO fine\n\tat org.x.Y.z(Y.java:1)");
        assertThat(PrintableText.ofMessage("plain")).isSameAs("plain");
    }
}
