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
package org.hadoopmpsr.catalog.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageTokenTest {
    private static final byte[] SECRET = "a secret of some bytes".getBytes(StandardCharsets.UTF_8);
    private static final PageToken TOKEN =
            new PageToken("{\"filter\": true}", new ListedState(1L << 40, "signal", -5), 3_000);

    @Test
    void aTokenIsReadAsItWasSigned() {
        assertThat(PageToken.read(TOKEN.sign(SECRET, "u"), SECRET, "u")).contains(TOKEN);
    }

    @Test
    void nobodyElseUsesATokenAndNobodyChangesIt() {
        String signed = TOKEN.sign(SECRET, "u");
        assertThat(PageToken.read(signed, SECRET, "v")).isEmpty();
        assertThat(PageToken.read(signed, "another secret".getBytes(StandardCharsets.UTF_8), "u"))
                .isEmpty();
        byte[] bytes = Base64.getUrlDecoder().decode(signed);
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= 1;
            assertThat(PageToken.read(Base64.getUrlEncoder().withoutPadding().encodeToString(changed), SECRET, "u"))
                    .as("byte %d", i)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "====", "AAAA", "ä"})
    void whatIsNoTokenIsNone(String text) {
        assertThat(PageToken.read(text, SECRET, "u")).isEmpty();
    }
}
