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
package org.hadoopmpsr.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
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

@AnalyzeClasses(packages = "org.hadoopmpsr.core", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule CORE_USES_THE_JDK_ONLY = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("org.hadoopmpsr.core..", "java..", "org.jspecify..");

    @ArchTest
    static final ArchRule ROOMS_HAVE_NO_CYCLES =
            slices().matching("org.hadoopmpsr.core.(*)..").should().beFreeOfCycles();

    @ArchTest
    static void packagesHoldAtMostTwentyClasses(JavaClasses classes) {
        assertThat(classes.stream()
                        .filter(c -> c.isTopLevelClass() && !c.getSimpleName().equals("package-info"))
                        .collect(groupingBy(JavaClass::getPackageName, counting())))
                .isNotEmpty()
                .allSatisfy((name, size) -> assertThat(size).as(name).isLessThanOrEqualTo(20));
    }
}
