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
package org.hadoopmpsr.core.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RedundancyTrendTest {
    @Test
    void theTimeLeftFollowsFromThePace() {
        RedundancyTrend trend = RedundancyTrend.NONE;
        assertThat(trend.leftSeconds()).isZero();
        trend = trend.next(10_000, 300);
        assertThat(trend.leftSeconds()).as("a node is lost").isEqualTo(-1);
        trend = trend.next(600_000, 300);
        assertThat(trend.leftSeconds()).as("it may come back").isEqualTo(-1);
        trend = trend.next(610_000, 200);
        assertThat(trend.leftSeconds()).isEqualTo(20);
        trend = trend.next(620_000, 200);
        assertThat(trend.leftSeconds()).as("nothing came meanwhile").isEqualTo(40);
        trend = trend.next(630_000, 250);
        assertThat(trend.leftSeconds()).as("more is lost").isEqualTo(-1);
        trend = trend.next(640_000, 50);
        assertThat(trend.leftSeconds()).isEqualTo(3);
        trend = trend.next(650_000, 0);
        assertThat(trend.leftSeconds()).isZero();
        assertThat(trend.next(900_000, 70).leftSeconds()).as("the next loss").isEqualTo(-1);
    }
}
