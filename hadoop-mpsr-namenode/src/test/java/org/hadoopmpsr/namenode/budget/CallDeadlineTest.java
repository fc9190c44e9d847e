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
package org.hadoopmpsr.namenode.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.hadoopmpsr.core.plan.WorkLimit;
import org.junit.jupiter.api.Test;

class CallDeadlineTest {
    private long nowNs = Long.MAX_VALUE - 5; // such a clock may start anywhere
    private boolean wanted = true;
    private final CallDeadline deadline = new CallDeadline(() -> nowNs, () -> wanted, 100);

    private void work() {
        for (int i = 0; i < 1_000; i++) {
            deadline.spend(1);
        }
    }

    @Test
    void workEndsWithItsTime() {
        nowNs += TimeUnit.MILLISECONDS.toNanos(99);
        work();
        assertThat(deadline.leftNs()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(1));
        nowNs += TimeUnit.MILLISECONDS.toNanos(1);
        assertThatThrownBy(this::work)
                .isInstanceOf(WorkLimit.Overrun.class)
                .hasMessageStartingWith("planning took longer than dfs.mpsr.plan.max.ms = 100 allows");
    }

    @Test
    void workEndsWhenNobodyWaitsForIt() {
        work();
        wanted = false;
        assertThatThrownBy(this::work)
                .isInstanceOf(WorkLimit.Overrun.class)
                .hasMessage("the client has closed its connection");
    }
}
