/**
 * Block placement by replica group, for the NameNode, the Balancer and the Mover. This package decides nothing: the
 * plug-in in the NameNode binds a {@link org.hadoopmpsr.blockmanager.PlacementView}.
 */
package org.hadoopmpsr.blockmanager;
