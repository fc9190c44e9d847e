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
package org.hadoopmpsr.core.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThrottleTest {
    private static final long START_NS = -5; // clocks may be anywhere

    /** Begins pieces whenever it may, looking so often; returns the bytes of so many seconds. */
    private static long begun(Throttle throttle, long piece, long lookMs, long seconds) {
        long bytes = 0;
        for (long ms = 0; ms < TimeUnit.SECONDS.toMillis(seconds); ms += lookMs) {
            long now = START_NS + TimeUnit.MILLISECONDS.toNanos(ms);
            while (throttle.isOpen(now) && bytes < 1_000_000) {
                throttle.begin(piece, now);
                bytes += piece;
            }
        }
        return bytes;
    }

    @Test
    void theRateHoldsForPiecesOfAnySize() {
        assertThat(begun(new Throttle(1_000, START_NS), 10, 500, 60)).isBetween(59_000L, 60_020L);
        assertThat(begun(new Throttle(1_000, START_NS), 128, 500, 60)).isBetween(59_000L, 60_200L);
        assertThat(begun(new Throttle(1_000, START_NS), 30_000, 500, 60)).isEqualTo(60_000);
    }

    @Test
    void aPauseIsNotMadeUpFor() {
        Throttle throttle = new Throttle(1_000, START_NS);
        long later = START_NS + TimeUnit.MINUTES.toNanos(5);
        int pieces = 0;
        while (throttle.isOpen(later)) {
            throttle.begin(100, later);
            pieces++;
        }
        assertThat(pieces).isEqualTo(11);
    }

    @Test
    void withoutARateItIsAlwaysOpen() {
        Throttle throttle = new Throttle(0, START_NS);
        throttle.begin(Long.MAX_VALUE, START_NS);
        assertThat(throttle.isOpen(START_NS)).isTrue();
    }
}
