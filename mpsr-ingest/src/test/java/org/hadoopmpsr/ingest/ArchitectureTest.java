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
package org.hadoopmpsr.ingest;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.slf4j.LoggerFactory;

@AnalyzeClasses(packages = "org.hadoopmpsr", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule THE_SINK_NEEDS_NO_SERVER = noClasses()
            .that()
            .resideInAPackage("org.hadoopmpsr.ingest..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.hadoopmpsr.blockmanager..",
                    "org.hadoopmpsr.namenode..",
                    "org.hadoopmpsr.spark..",
                    "org.hadoopmpsr.client.cli..",
                    "org.apache.hadoop.hdfs.server..",
                    "org.apache.kafka.connect.runtime..",
                    "org.apache.spark..");

    @ArchTest
    static final ArchRule BUFFER_DECODE_AND_LAYOUT_KNOW_NO_HDFS_AND_NO_TASK = noClasses()
            .that()
            .resideInAnyPackage(
                    "org.hadoopmpsr.columnar.buffer..",
                    "org.hadoopmpsr.ingest.decode..",
                    "org.hadoopmpsr.columnar.layout..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.apache.hadoop..",
                    "org.apache.kafka.connect.sink..",
                    "org.apache.parquet..",
                    "org.hadoopmpsr.client..",
                    "org.hadoopmpsr.ingest.commit..");

    @ArchTest
    static final ArchRule ONLY_DECODE_KNOWS_THE_FORMATS_OF_MESSAGES = noClasses()
            .that()
            .resideInAPackage("org.hadoopmpsr.ingest..")
            .and()
            .resideOutsideOfPackage("org.hadoopmpsr.ingest.decode..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.google.protobuf..", "com.fasterxml..", "org.apache.avro..");

    @ArchTest
    static final ArchRule NO_CIRCLE_OF_PACKAGES =
            slices().matching("org.hadoopmpsr.(**)").should().beFreeOfCycles();

    /** {@code PrintableLog} writes names of others in printable form. */
    @ArchTest
    static final ArchRule NO_LOGGER_OF_ITS_OWN = noClasses()
            .that()
            .doNotHaveSimpleName("PrintableLog")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(LoggerFactory.class);

    @ArchTest
    static void packagesHoldAtMostTwentyClasses(JavaClasses classes) {
        assertThat(classes.stream()
                        .filter(c -> c.isTopLevelClass() && !c.getSimpleName().equals("package-info"))
                        .collect(groupingBy(JavaClass::getPackageName, counting())))
                .isNotEmpty()
                .allSatisfy((name, size) -> assertThat(size).as(name).isLessThanOrEqualTo(20));
    }
}
