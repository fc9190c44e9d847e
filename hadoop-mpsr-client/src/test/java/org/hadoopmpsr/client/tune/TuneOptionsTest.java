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
package org.hadoopmpsr.client.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TuneOptionsTest {
    @Test
    void argumentsAreReadAsTheyWereWritten() {
        TuneOptions options = new TuneOptions("runs", 3, 7, -2, Map.of("bandwidth", 12.5), "a.html");

        assertThat(TuneOptions.parse(options.toArguments())).isEqualTo(options);
        assertThat(TuneOptions.parse(List.of("--train", "runs")))
                .isEqualTo(new TuneOptions("runs", 4, 5, 1, Map.of(), null));
    }

    @Test
    void wrongArgumentsAreTold() {
        assertThatThrownBy(() -> TuneOptions.parse(List.of("--depth", "4")))
                .hasMessage("the option --train is missing");
        assertThatThrownBy(() -> TuneOptions.parse(List.of("--train", "runs", "--depth", "17")))
                .hasMessage("--depth is 17; give a number from 1 to 16");
        assertThatThrownBy(() -> TuneOptions.parse(List.of("--train", "runs", "--folds", "1")))
                .hasMessage("--folds is 1; give a number from 2");
        assertThatThrownBy(() -> TuneOptions.parse(List.of("--train", "runs", "--feature", "bandwidth")))
                .hasMessage("--feature 'bandwidth' is no feature with a number, such as bandwidth=100");
        assertThatThrownBy(() -> TuneOptions.parse(List.of("--train", "runs", "--feature", "speed=1")))
                .hasMessageStartingWith("there is no feature 'speed'");
        assertThatThrownBy(() -> TuneOptions.parse(List.of("runs"))).hasMessage("there is no option 'runs'");
    }
}
