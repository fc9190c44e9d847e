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
package org.hadoopmpsr.client.advise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.client.advise.AdviceTrial.Measured;
import org.hadoopmpsr.client.advise.AdviceTrial.OfClass;
import org.hadoopmpsr.client.advise.AdviceTrial.Side;
import org.hadoopmpsr.core.advise.Advice.Estimate;
import org.hadoopmpsr.core.workload.Amount;
import org.hadoopmpsr.core.workload.Asked;
import org.hadoopmpsr.core.workload.AskedShape;
import org.hadoopmpsr.core.workload.QueryClass;
import org.hadoopmpsr.core.workload.WorkloadLog;
import org.junit.jupiter.api.Test;

class AdviceTrialTest {
    private static QueryClass asked(int queries) {
        WorkloadLog log = new WorkloadLog(10);
        AskedShape shape = AskedShape.of(List.of(AskedShape.Measured.values("signal", 1)), null);
        for (int i = 0; i < queries; i++) {
            log.asked("d", "form", new Asked(shape, null, Amount.NONE, Amount.NONE, List.of(), null), i);
        }
        return log.classes("d").get(0);
    }

    private static Side side(String name, String group, double predicted, double measured) {
        return new Side(name, new Estimate(group, 2, predicted, 30), new Measured(group, 3, measured, 40, 35.5, 52));
    }

    private final AdviceTrial trial = new AdviceTrial(
            4,
            1_000,
            8_000,
            List.of(
                    new OfClass(
                            asked(3), List.of(side("stock", "time", 900, 1_000), side("advised", "signal", 90, 100))),
                    new OfClass(
                            asked(1),
                            List.of(side("stock", "time", 500, 1_000), side("advised", "time", 500, 1_000)))));

    private static final class Lines implements AdviceView.Printer {
        private final List<String> lines = new ArrayList<>();

        @Override
        public void line(String text) {
            lines.add(text);
        }

        @Override
        public void table(List<List<String>> rows) {
            rows.forEach(row -> lines.add(String.join("|", row)));
        }
    }

    /** A class counts as often as it is asked. */
    @Test
    void sumsAreOfAllQueries() {
        assertThat(trial.measuredBytes("stock")).isEqualTo(4_000);
        assertThat(trial.predictedBytes("stock")).isEqualTo(3_200);
        assertThat(trial.measuredBytes("advised")).isEqualTo(1_300);
        assertThat(trial.predictedBytes("advised")).isEqualTo(770);
        assertThat(trial.sides()).containsExactly("stock", "advised");
    }

    @Test
    void whatIsPredictedStandsBesideWhatIsMeasured() {
        Lines out = new Lines();
        trial.print(out);
        assertThat(out.lines)
                .anySatisfy(line -> assertThat(line).contains("4 files", "(13 %)"))
                .contains("3|advised|signal|signal|2.0|3.0|90 B|100 B|0.90|30|40 (36 to 52)|signal = 1 value")
                .contains("all of them, advised: 770 B predicted, 1.27 KB measured (0.33 of stock's)");
        assertThat(trial.json().toString()).contains("measuredBytes=1300.0").contains("leastMs=35.5");
    }
}
